import { wrong } from '../checks.ts'
import { GatewayError } from '../errors.ts'
import { deepest, isTooDeep } from '../generate/depth.ts'

/** Refuses what a client nested too deeply for anybody to walk through it. */
export function checkDepth(value: unknown, field: string): void {
  if (isTooDeep(value)) throw wrong(field, `nested at most ${deepest} levels deep`)
}

/** Refuses such arguments of an account's call. */
export function checkArguments(value: unknown): void {
  if (!isTooDeep(value)) return
  throw new GatewayError(
    'upstream_invalid_reply',
    "The arguments of the upstream's call are nested too deeply.",
  )
}
