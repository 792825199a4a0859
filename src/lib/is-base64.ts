/** In characters. Shorter texts of the same letters may be words. */
const shortestData = 128

const data = /^(?:data:[^,\s]{0,128},)?[\w+/-]*={0,2}$/

/** Whether a text is base64 of some length: media, or a signature. */
export function isBase64(text: string): boolean {
  return text.length >= shortestData && data.test(text)
}
