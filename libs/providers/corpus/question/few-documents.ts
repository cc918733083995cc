const FEW = 100;

/** Whether the documents are few: among few what is nearest is worth a look, among many something is near to anything. */
export const areFew = (documents: number): boolean => documents <= FEW;
