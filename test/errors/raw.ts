import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Sends bytes as they are and reads until the answer is complete or the connection ends. */
export function sendRaw(url: string, text: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    const finish = () => {
      socket.destroy()
      const [head = '', body = ''] = received.split(/\r\n\r\n(.*)/s)
      resolve({ status: Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1]), head, body })
    }
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString()
      const [head = '', body] = received.split(/\r\n\r\n(.*)/s)
      const length = /^content-length: (\d+)/im.exec(head)?.[1]
      if (body !== undefined && Buffer.byteLength(body) >= Number(length)) finish()
    })
    socket.once('end', finish)
    socket.once('error', reject)
    socket.write(text)
  })
}
