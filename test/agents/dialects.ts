/** The four dialects, as `speaks` of an account names them. */
export type DialectName = 'responses' | 'chat' | 'messages' | 'generate'

/** What an account is: it speaks one dialect, or Chat Completions as `strict-chat.ts` does. */
export type AccountKind = DialectName | 'strict chat'

/** The dialect that an account speaks. */
export function dialectOf(account: AccountKind): DialectName {
  return account === 'strict chat' ? 'chat' : account
}

/** What a model of an account of each dialect is called. */
export const accountModels: Record<AccountKind, string> = {
  responses: 'gpt-5.4',
  chat: 'gpt-5.4',
  'strict chat': 'qwen3-coder',
  messages: 'claude-sonnet-4-6',
  generate: 'gemini-3-pro-preview',
}

/** Which dialect a path of a provider belongs to; undefined where it makes no text. */
export function dialectOfPath(path: string): DialectName | undefined {
  return paths.find(([pattern]) => pattern.test(path))?.[1]
}

const paths: [RegExp, DialectName][] = [
  [/\/responses(\?|$)/, 'responses'],
  [/\/chat\/completions(\?|$)/, 'chat'],
  [/\/messages(\?|$)/, 'messages'],
  [/:(stream)?generateContent(\?|$)/i, 'generate'],
]
