/** What a terminal would obey: reports quote whatever stands in a source. */
const CONTROL_CHARACTERS = /(?![\n\t])\p{Cc}/gu;

/** Text as a terminal may be shown it. */
export const plainText = (text: string): string => text.replace(CONTROL_CHARACTERS, '');
