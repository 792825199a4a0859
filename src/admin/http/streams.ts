import type { ServerResponse } from 'node:http'

import type { Principal } from '../principal.ts'
import { type Role, isAtLeast } from '../roles.ts'
import type { Authentication } from './authentication.ts'
import { type HttpError, tooManyStreams } from './http-error.ts'

/** The answers of this process that are server-sent events. */
interface Streams {
  /**
   * Takes a place for an answer until it ends, unless it has one; returns the error if all places are taken. Each `owner` has a share of
   * them. `whose` is asked every few seconds: the answer ends with its token or session, or with the role that
   * it began with.
   */
  open(
    response: ServerResponse,
    owner: Principal,
    whose: () => Promise<Authentication>,
  ): HttpError | undefined
}

/** The time between two questions whether a stream's token or session still holds, in milliseconds. */
const askMs = 2_000

/** Creates a register of at most `most` streams, `mostOfOne` of each principal. */
export function createStreams(most: number, mostOfOne: number): Streams {
  const open = new Map<ServerResponse, () => Promise<boolean>>()
  const counts = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  async function ask(response: ServerResponse, isOverNow: () => Promise<boolean>): Promise<void> {
    if (await isOverNow()) response.destroy()
  }

  return {
    open(response, { id: owner, role }, whose) {
      if (open.has(response)) return undefined
      const count = counts.get(owner) ?? 0
      if (count >= mostOfOne) return tooManyStreams('own')
      if (open.size >= most) return tooManyStreams('process')
      open.set(response, async () => isOver(await whose(), role))
      counts.set(owner, count + 1)
      timer ??= setInterval(() => {
        for (const [one, isOverNow] of open) void ask(one, isOverNow).catch(() => {})
      }, askMs).unref()
      response.once('close', () => {
        open.delete(response)
        const left = (counts.get(owner) ?? 1) - 1
        if (left > 0) counts.set(owner, left)
        else counts.delete(owner)
        if (open.size > 0) return
        clearInterval(timer)
        timer = undefined
      })
      return undefined
    },
  }
}

function isOver(authentication: Authentication, role: Role): boolean {
  if ('principal' in authentication) return !isAtLeast(authentication.principal.role, role)
  // A store that is away cannot say that it is over.
  return authentication.httpError.status === 401
}
