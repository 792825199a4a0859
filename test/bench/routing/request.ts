/** A turn of a coding agent: its cache key, and three items of earlier turns. */

import { requestHeaders } from '../request.ts'

const question = {
  role: 'user',
  content: 'What does the harbour pilot do at high water? '.repeat(20).trim(),
}

/** The part of a response that the next turn needs. */
interface Answered {
  readonly output: readonly { readonly type: string; readonly id: string }[]
}

/**
 * The bytes that a keep-alive client would send. The earlier turns are asked for first: a gateway knows no items of
 * responses that it has not passed on. Rejects if they fail.
 */
export async function turnOfAnAgent(port: number): Promise<string> {
  const [earlier, another] = [await ask(port), await ask(port)]
  const body = bodyOf([
    question,
    { type: 'reasoning', id: idOf(earlier, 'reasoning'), summary: [] },
    { type: 'message', id: idOf(earlier, 'message'), role: 'assistant', content: [] },
    { type: 'message', id: idOf(another, 'message'), role: 'assistant', content: [] },
    { role: 'user', content: 'And at low water?' },
  ])
  const headers = { host: `127.0.0.1:${port}`, ...requestHeaders(), 'content-length': body.length }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST /v1/responses HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

function bodyOf(input: readonly object[]): string {
  return JSON.stringify({ model: 'bench', prompt_cache_key: 'a-session-of-an-agent', input })
}

async function ask(port: number): Promise<Answered> {
  const url = `http://127.0.0.1:${port}/v1/responses`
  const init = { method: 'POST', headers: requestHeaders(), body: bodyOf([question]) }
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`An earlier turn failed with status ${response.status}.`)
  return (await response.json()) as Answered
}

function idOf({ output }: Answered, type: string): string {
  const item = output.find((one) => one.type === type)
  if (!item) throw new Error(`An earlier turn has no item of type ${type}.`)
  return item.id
}
