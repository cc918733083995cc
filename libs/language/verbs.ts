/** Finite verbs as regular expressions: English sentences are taken apart at them. */

const IRREGULAR =
  'is|are|was|were|has|have|had|does|do|did|can|could|will|would|may|might|must|shall|should|became|become|becomes|began|begins|made|makes|won|wins|wrote|' +
  'writes|led|leads|grew|grows|gave|gives|took|takes|went|goes|came|comes|got|gets|held|holds|met|left|found|built|ran|runs|rose|fell|sold|set|spent|sang|' +
  'saw|said|says|told|taught|thought|brought|bought|fought|kept|lost|put|read|sent|stood|spoke|drew|drove|chose|broke|beat|hit|cut|wore|flew|knew|felt|paid|' +
  'remains|includes|lives|works|plays|serves|appears|consists|contains|uses|offers|supports|provides|allows|features|belongs|died|dies';
const ADVERBS = String.raw`(?:(?:(?!family)\w{2,}ly|also|then|later|now|still|soon|eventually|never|always|often|both|once|first|not|since|ever|again|further|thus|even|just|currently)\s+)*`;
/** What follows a verb in "ed" and hardly ever an adjective in "ed". */
const COMPLEMENT = String.raw`(?:the|a|an|his|her|its|their|in|at|to|for|as|from|with|by|on|into|of|over|under|up|out|off|about|against|between|that|it|him|them|one|several|many|more|until|when|after|before|through|\d|\p{Lu})`;
/** What follows a verb in "s" and hardly ever a plural. */
const DETERMINER = '(?:the|an?|his|her|its|their|every|each|all|any)';

/** A verb that cannot be taken for an adjective, with adverbs before it. */
export const FINITE_VERB = String.raw`${ADVERBS}(?:(?:${IRREGULAR})(?![\w'’-])|[a-z]{2,}ed(?=\s+${ADVERBS}${COMPLEMENT})|[a-z]{3,}s(?=\s+${DETERMINER}\s))`;
