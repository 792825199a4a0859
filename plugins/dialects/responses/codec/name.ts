/** The dialect's name, as it stands in signatures. */
export const dialect = 'responses'
