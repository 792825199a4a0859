import { createHash } from 'node:crypto'

import { ErrorReply } from '@redis/client'

import type { RedisConnection } from './connect.ts'

/** Runs a script. Its keys share the slot of the first one. Rejects as `RedisConnection.send` does. */
type RunScript = (
  connection: Pick<RedisConnection, 'send'>,
  keys: readonly [string, ...string[]],
  ...values: readonly string[]
) => Promise<unknown>

/** Prepares a script that writes. Its text goes to a Redis that does not know it only. */
export function prepareScript(text: string): RunScript {
  const digest = createHash('sha1').update(text).digest('hex')
  return async (connection, keys, ...values) => {
    const rest = [String(keys.length), ...keys, ...values]
    try {
      return await connection.send(keys[0], 'write', ['EVALSHA', digest, ...rest])
    } catch (error) {
      if (!isUnknownScript(error)) throw error
      return await connection.send(keys[0], 'write', ['EVAL', text, ...rest])
    }
  }
}

/** A Redis that was started again knows no script, and has run nothing. */
function isUnknownScript(error: unknown): boolean {
  const cause = error instanceof ErrorReply ? error : (error as Error).cause
  return cause instanceof ErrorReply && cause.message.startsWith('NOSCRIPT')
}
