import { type AccountRequest, type Answer, answerJson } from '../../../src/testing/index.ts'

interface ChatRequest {
  readonly model: string
  readonly stream: boolean
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

const counts = { prompt_eval_count: 3, eval_count: 2 }

/** Repeats the last message, or calls the first tool until it has a result; in lines, as Ollama streams. */
export const answerChat: Answer = (response, request) => {
  const { model, stream, messages, tools } = read(request)
  const last = messages.at(-1)
  const head = { model, created_at: '2026-11-01T10:00:00.000000Z' }
  const name = last?.role === 'tool' ? undefined : tools?.[0]?.function.name
  const calls = [{ function: { name, arguments: { place: 'Rome' } } }]
  const pieces = name
    ? [{ content: '', tool_calls: calls }]
    : (last?.content ?? '').split(/(?<= )/).map((content) => ({ content }))
  const messageOf = (piece: object) => ({ message: { role: 'assistant', ...piece } })
  const end = { done: true, done_reason: 'stop', ...counts }
  if (!stream) {
    const whole = name ? pieces[0]! : { content: last?.content }
    return answerJson({ ...head, ...messageOf(whole), ...end })(response, request)
  }
  const lines = pieces.map((piece) => ({ ...head, ...messageOf(piece), done: false }))
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  for (const line of [...lines, { ...head, ...messageOf({ content: '' }), ...end }]) {
    response.write(`${JSON.stringify(line)}\n`)
  }
  response.end()
}

export function read({ body }: AccountRequest): ChatRequest {
  return JSON.parse(body.toString()) as ChatRequest
}
