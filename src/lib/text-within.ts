/** The text of a response. Rejects if it has more than `most` bytes. */
export async function textWithin({ body }: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > most) throw new Error('its answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
