import { request } from 'node:http'

/** Posts a body in pieces, each of them a chunk of its own on the wire. */
export function upload(
  url: string,
  headers: Readonly<Record<string, string>>,
  pieces: readonly Buffer[],
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    sending.once('error', reject)
    for (const piece of pieces) sending.write(piece)
    sending.end()
  })
}
