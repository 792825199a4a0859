/** What a look-up has found. `CANNOT_TELL`: the store does not answer, or the record is damaged. */
export const lookupStates = ['FOUND', 'MISSING', 'CANNOT_TELL'] as const

/** The result of a look-up. */
export type LookupState = (typeof lookupStates)[number]
