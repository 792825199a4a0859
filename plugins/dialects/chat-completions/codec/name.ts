/** The dialect as signatures know it. */
export const dialectName = 'chat'
