import type { Sandbox } from '../../src/sandbox/index.ts'

export type Json = Record<string, unknown>

/** A request in one dialect: what it takes to say "hi there" to a model. */
export type DialectRequest = { path: string; headers: Record<string, string>; body: Json }

export const dialectNames = [
  'responses',
  'chat-completions',
  'messages',
  'generate-content',
] as const

export type DialectName = (typeof dialectNames)[number]

/** "hi there" to the model in each dialect, streamed or not, with the key of account `a`. */
export function greet(dialect: DialectName, model: string, stream = false): DialectRequest {
  const bearer = { authorization: 'Bearer sandbox-key-a' }
  const messages = [{ role: 'user', content: 'hi there' }]
  switch (dialect) {
    case 'responses':
      return { path: '/v1/responses', headers: bearer, body: { model, stream, input: 'hi there' } }
    case 'chat-completions':
      return { path: '/v1/chat/completions', headers: bearer, body: { model, stream, messages } }
    case 'messages':
      return {
        path: '/v1/messages',
        headers: { 'x-api-key': 'sandbox-key-a', 'anthropic-version': '2023-06-01' },
        body: { model, stream, messages, max_tokens: 1000 },
      }
    case 'generate-content':
      return {
        path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
        headers: { 'x-goog-api-key': 'sandbox-key-a' },
        body: { contents: [{ role: 'user', parts: [{ text: 'hi there' }] }] },
      }
  }
}

/** Posts a request as it is, optionally with other headers or body fields. */
export function post(
  { url }: Sandbox,
  request: DialectRequest,
  changes: { headers?: Record<string, string>; body?: Json; signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(url + request.path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...request.headers, ...changes.headers },
    body: JSON.stringify({ ...request.body, ...changes.body }),
    ...(changes.signal ? { signal: changes.signal } : {}),
  })
}

/** The error message of an answer, in whichever shape; empty for a success. */
export async function errorMessage(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error?: { message: string } }
  return error?.message ?? ''
}

/** What arrived of a body, and whether it ended as HTTP wants it. */
export async function readAll(response: Response): Promise<{ text: string; clean: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body!) text += decoder.decode(chunk, { stream: true })
    return { text, clean: true }
  } catch {
    return { text, clean: false }
  }
}

/** The frames of an SSE body: the data of each, unparsed. */
export function framesOf(text: string): string[] {
  return text
    .split(/\r?\n\r?\n/)
    .map((block) =>
      block
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data: '))
        .map((line) => line.slice('data: '.length))
        .join('\n'),
    )
    .filter((data) => data !== '')
}
