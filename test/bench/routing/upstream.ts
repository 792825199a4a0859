/** A provider of responses, a process of its own: every reply has ids that no other has. */

import { createServer, type AddressInfo } from 'node:net'

import { MessageReader } from '../message-reader.ts'
import { resourceId } from './ids.ts'

let made = 0

const server = createServer({ noDelay: true }, (socket) => {
  const reader = new MessageReader()
  socket.on('data', (bytes: Buffer) => {
    if (reader.push(bytes)) socket.write(reply(++made))
  })
  socket.on('error', () => socket.destroy())
})
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
)
process.on('message', () => process.send?.({ made }))
// The bench is gone: so is the reason to run.
process.on('disconnect', () => process.exit(0))

function reply(count: number): string {
  const text = 'The pilot boards at the outer buoy and takes the ship in. '.repeat(15).trim()
  const body = JSON.stringify({
    id: resourceId('resp', count),
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    model: 'bench',
    output: [
      { type: 'reasoning', id: resourceId('rs', count), summary: [] },
      {
        type: 'message',
        id: resourceId('msg', count),
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: { input_tokens: 210, output_tokens: 240, total_tokens: 450 },
  })
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}
