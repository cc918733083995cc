/** Cut to the length, and without characters that cannot be stored as text. */
export const shortened = (text: string, length: number): string => text.slice(0, length).toWellFormed().replaceAll('\0', '');
