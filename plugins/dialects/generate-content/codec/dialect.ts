/** The name of this dialect, as its signatures carry it. */
export const dialect = 'generate'
