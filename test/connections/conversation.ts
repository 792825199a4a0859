import { connect } from 'node:net'

/** All that came back on a connection until its end. */
export interface Conversation {
  readonly text: string
  /** The statuses of all answers, in order; `100` included. */
  readonly statuses: number[]
}

/** Sends bytes as they are, and reads until the server ends the connection. Rejects if it is reset. */
export function conversation(url: string, bytes: string | Buffer): Promise<Conversation> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
    socket.once('error', reject)
    socket.once('end', () => {
      socket.destroy()
      resolve({ text, statuses: statusesIn(text) })
    })
    socket.write(bytes)
  })
}

/** The statuses of all answers in a text. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}
