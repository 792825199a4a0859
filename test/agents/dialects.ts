/** The four dialects, as `speaks` of an account names them. */
export type DialectName = 'responses' | 'chat' | 'messages' | 'generate'

/** What a model of an account of each dialect is called. */
export const accountModels: Record<DialectName, string> = {
  responses: 'gpt-5.4',
  chat: 'gpt-5.4',
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
