import type { ServerResponse } from 'node:http'

import type { Who } from './who.ts'

/** The answers of this process that are server-sent events. */
interface Streams {
  /**
   * Takes a place for an answer until it ends; whether there was one, or it has one. `whose` is asked every few seconds:
   * the answer ends with its token or session.
   */
  open(response: ServerResponse, whose: () => Promise<Who>): boolean
}

/** The time between two questions whether a stream's token or session still holds, in milliseconds. */
const askMs = 2_000

/** Creates a register of at most `most` streams. */
export function createStreams(most: number): Streams {
  const open = new Map<ServerResponse, () => Promise<Who>>()
  let timer: NodeJS.Timeout | undefined

  async function ask(response: ServerResponse, whose: () => Promise<Who>): Promise<void> {
    const who = await whose()
    // A store that is away cannot say that it is over.
    if ('refusal' in who && who.refusal.status === 401) response.destroy()
  }

  return {
    open(response, whose) {
      if (open.has(response)) return true
      if (open.size >= most) return false
      open.set(response, whose)
      timer ??= setInterval(() => {
        for (const [one, ofOne] of open) void ask(one, ofOne).catch(() => {})
      }, askMs).unref()
      response.once('close', () => {
        open.delete(response)
        if (open.size > 0) return
        clearInterval(timer)
        timer = undefined
      })
      return true
    },
  }
}
