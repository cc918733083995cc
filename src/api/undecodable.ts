/** Why a part of an address cannot be decoded, and what to send instead. */
export const whyUndecodable = (text: string): string =>
  /%(?![0-9a-f]{2})/i.test(text)
    ? 'a % is not followed by two hexadecimal digits; send % itself as %25'
    : 'its percent-encoded bytes are not UTF-8; é, for example, is %C3%A9';
