/** The four dialects of text generation, by the names that accounts list in `speaks`. */
export const dialects = ['responses', 'chat', 'messages', 'generate'] as const

export type DialectName = (typeof dialects)[number]

/** The dialects of accounts: those of clients, and others that no client speaks. */
export const accountDialects = [...dialects, 'converse'] as const

export type AccountName = (typeof accountDialects)[number]

/** As the pages call them. */
export const titles: Readonly<Record<AccountName, string>> = {
  responses: 'Responses',
  chat: 'Chat Completions',
  messages: 'Messages',
  generate: 'generateContent',
  converse: 'Converse',
}

/** Who asks and who answers. */
export interface Pair {
  readonly client: DialectName
  readonly account: AccountName
}
