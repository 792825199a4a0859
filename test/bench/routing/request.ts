/** A turn of a coding agent: its cache key, and three items of earlier turns. */

import { requestHeaders } from '../request.ts'

/** The bytes that a keep-alive client would send. */
export function turnOfAnAgent(port: number): Buffer {
  const words = 'What does the harbour pilot do at high water? '.repeat(20).trim()
  const body = JSON.stringify({
    model: 'bench',
    prompt_cache_key: 'a-session-of-an-agent',
    input: [
      { role: 'user', content: words },
      { type: 'reasoning', id: 'rs_of_an_earlier_turn', summary: [] },
      { type: 'message', id: 'msg_of_an_earlier_turn', role: 'assistant', content: [] },
      { type: 'message', id: 'msg_of_another_turn', role: 'assistant', content: [] },
      { role: 'user', content: 'And at low water?' },
    ],
  })
  const headers = { host: `127.0.0.1:${port}`, ...requestHeaders(), 'content-length': body.length }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST /v1/responses HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}
