/** The four dialects of text generation, by the names that accounts list in `speaks`. */
export const dialects = ['responses', 'chat', 'messages', 'generate'] as const

export type DialectName = (typeof dialects)[number]

/** As the pages call them. */
export const titles: Readonly<Record<DialectName, string>> = {
  responses: 'Responses',
  chat: 'Chat Completions',
  messages: 'Messages',
  generate: 'generateContent',
}

/** Who asks and who answers. */
export interface Pair {
  readonly client: DialectName
  readonly account: DialectName
}
