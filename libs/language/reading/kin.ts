/** Relatives by their sex. */
export const MALE_KIN: ReadonlySet<string> = new Set('father brother son husband uncle nephew grandfather grandson widower'.split(' '));
export const FEMALE_KIN: ReadonlySet<string> = new Set('mother sister daughter wife aunt niece grandmother granddaughter widow'.split(' '));
