import { createHash } from 'node:crypto'

import type { Understood } from '../../src/contract/exchange.ts'
import { isObject } from '../../src/lib/json/object.ts'

/** Clients name end users. Further ones of a key and a day share one amount. */
const mostUsers = 10_000

const dayMs = 86_400_000

/** Finds the parts of subjects that belong to end users. */
interface EndUsers {
  /** The name of the end user's part of a subject in the meter. */
  nameOf(subject: string, exchange: Pick<Understood, 'body' | 'caller'>, now: number): string
}

/** Creates the end users of a process. */
export function createEndUsers(): EndUsers {
  let day = 0
  let known = new Map<string, Set<string>>()
  return {
    nameOf(subject, { body, caller }, now) {
      const user = body.form ? body.form.text('user') : userOf(body.json)
      if (user === undefined) return `${subject}/user`
      if (Math.floor(now / dayMs) !== day) {
        day = Math.floor(now / dayMs)
        known = new Map()
      }
      // A key that makes names up takes no amount from the users of other keys.
      const place = `${subject}\n${caller.keyId}`
      const users = known.get(place) ?? new Set()
      known.set(place, users)
      const name = createHash('sha256')
        .update(`${subject}\n${user}`)
        .digest('base64url')
        .slice(0, 22)
      if (!users.has(name) && users.size >= mostUsers) return `${subject}/others:${caller.keyId}`
      users.add(name)
      return `${subject}/user:${name}`
    },
  }
}

/** The end user that a request names, in the words of any dialect. */
function userOf(json: Readonly<Record<string, unknown>>): string | undefined {
  const metadata = isObject(json.metadata) ? json.metadata : {}
  const found = [json.safety_identifier, json.user, metadata.user_id]
  return found.find((one): one is string => typeof one === 'string' && one !== '')
}
