/** The signature of `fetch` that libraries take. */
type Fetch = (url: string, options: object) => Promise<Response>

/** A `fetch` whose answers fail behind so many bytes: libraries read a whole answer into memory. */
export function boundedFetch(mostBytes: number): Fetch {
  return async (url, options) => {
    const response = await fetch(url, options)
    if (!response.body) return response
    return new Response(response.body.pipeThrough(limit(mostBytes)), response)
  }
}

function limit(mostBytes: number): TransformStream<Uint8Array<ArrayBuffer>> {
  let size = 0
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength
      if (size > mostBytes) throw new TypeError(`The answer has more than ${mostBytes} bytes.`)
      controller.enqueue(chunk)
    },
  })
}
