import { z } from 'zod'

import { type Limits, defaultLimits, defaultTimeouts } from '../contract/limits.ts'
import type { Problem } from '../contract/problems.ts'
import { isObject } from '../lib/json/object.ts'
import { bytes, count, milliseconds, optional, withDefault } from './schema-nodes.ts'

/** The schema of `limits`. */
export const limitsSchema = z.strictObject({
  jsonBodyBytes: withDefault(
    bytes,
    'Largest JSON request, after decompression.',
    defaultLimits.jsonBodyBytes,
  ),
  jsonValues: withDefault(
    count,
    'Values and member names in a JSON request, and in a reply of an account; four numbers count as one. A value takes about 100 bytes of memory besides its text, and time. At most 16 names may have more than 16,000 characters, at most 24 MiB may stand outside of strings (8 MiB in a frame of a stream), and strings may have 2,000,000 escapes, of which `\\/` is an eighth. A request of more than 64 KiB must be UTF-8.',
    defaultLimits.jsonValues,
  ),
  memoryBytes: withDefault(
    bytes,
    'Memory of a process for bodies, their parsed JSON, replies, and what calls use of large stored responses. One key uses at most half of it while others use it too; a request that finds no room within 5 s is answered 503. Exchanges of up to 256 KiB count only beyond a free part of a quarter as much on top, of which one key uses at most half. One call at a time is served for each 32 KiB, and at least twice `callsPerKey`. Garbage and copies take about as much again.',
    defaultLimits.memoryBytes,
    'a quarter of the usable memory, from 64 MiB to 512 MiB',
  ),
  callsPerKey: withDefault(
    count,
    'Calls of one API key that a process serves at once, waiting ones and streams included. Further ones are answered 429 with `retry-after`.',
    defaultLimits.callsPerKey,
  ),
  formBytes: withDefault(
    bytes,
    'Largest form, files included, and largest body that [passes to an account](passthrough.md). The default rises to `formPartBytes` and falls to `spoolBytes` if these are set.',
    defaultLimits.formBytes,
  ),
  formPartBytes: withDefault(
    bytes,
    'Largest part of a form, at most `formBytes`. The default falls to `formBytes`.',
    defaultLimits.formPartBytes,
  ),
  spoolBytes: withDefault(
    bytes,
    'Disk space for all forms of a process together, at least `formBytes`. The default rises to `formBytes`. Several forms of one API key may fill half of it.',
    defaultLimits.spoolBytes,
  ),
  inlineBytes: withDefault(
    bytes,
    'Uploads that a process reads into JSON bodies at the same time, counted before base64. Such bodies take about three and a half times as much memory.',
    defaultLimits.inlineBytes,
  ),
  replyBytes: withDefault(
    bytes,
    'Largest reply of an account that the gateway holds as a whole, such as a JSON reply, or that it translates as a stream. In a stream for a client of Responses each text counts eight times, and for others the arguments of tool calls five times.',
    defaultLimits.replyBytes,
  ),
  frameBytes: withDefault(bytes, 'Largest single frame of a stream.', defaultLimits.frameBytes),
  attempts: withDefault(count, 'Accounts that one request may try.', defaultLimits.attempts),
})

/** The schema of `timeouts`. */
export const timeoutsSchema = z.strictObject({
  connectMs: withDefault(
    milliseconds,
    'Until the connection to an account is established.',
    defaultTimeouts.connectMs,
  ),
  firstByteMs: withDefault(
    milliseconds,
    "Until the first byte of an account's reply. Models may think for a long time before they answer.",
    defaultTimeouts.firstByteMs,
  ),
  idleMs: withDefault(
    milliseconds,
    "Longest silence within an account's reply.",
    defaultTimeouts.idleMs,
  ),
  totalMs: withDefault(
    milliseconds,
    'One attempt at an account, from its start to the last byte of the reply.',
    defaultTimeouts.totalMs,
  ),
  keepAliveMs: withDefault(
    milliseconds,
    'Silence of a stream after which its client gets a keep-alive. The first keep-alive ends failover.',
    defaultTimeouts.keepAliveMs,
  ),
  holdMs: withDefault(
    milliseconds,
    'How long the gateway holds back the first events of a stream (at most 16 KiB), so that another account can take over.',
    defaultTimeouts.holdMs,
  ),
  requestBodyMs: withDefault(
    milliseconds,
    'Longest silence while a request body arrives, and the time over which a body must arrive with 1 KiB/s on average.',
    defaultTimeouts.requestBodyMs,
  ),
  drainMs: withDefault(
    milliseconds,
    "How long the gateway reads an account's reply after its client has disconnected (`clientGone: 'drain'`), and how long a shutdown waits for exchanges in flight.",
    defaultTimeouts.drainMs,
  ),
  pluginMs: withDefault(
    milliseconds,
    'How long a call waits for one hook of a plugin, without the time that accounts take, and for one event of an `onEvents` mapper that waits. Afterwards the call fails.',
    defaultTimeouts.pluginMs,
  ),
})

const { connectMs, firstByteMs, idleMs, totalMs, holdMs } = timeoutsSchema.shape

/** The schema of `accounts[].timeouts`: the timeouts that concern accounts. */
export const accountTimeoutsSchema = z.strictObject({
  connectMs: ofAccount(connectMs),
  firstByteMs: ofAccount(firstByteMs),
  idleMs: ofAccount(idleMs),
  totalMs: ofAccount(totalMs),
  holdMs: ofAccount(holdMs),
})

function ofAccount(setting: z.ZodDefault<typeof milliseconds>) {
  const { description = '' } = setting.unwrap().meta() ?? {}
  return optional(milliseconds, description, 'the same member of `timeouts`')
}

/**
 * Adapts the defaults of forms to the limits that are set (`written`): a part fits into a form, and a form fits into
 * the spool.
 */
export function completeLimits(
  configured: z.output<typeof limitsSchema>,
  written: unknown,
): Limits {
  const limits = { ...defaultLimits, ...configured }
  const set = isObject(written) ? written : {}
  const part = set.formPartBytes === undefined ? 0 : limits.formPartBytes
  const spool = set.spoolBytes === undefined ? Infinity : limits.spoolBytes
  const formBytes =
    set.formBytes === undefined
      ? Math.min(Math.max(limits.formBytes, part), spool)
      : limits.formBytes
  return {
    ...limits,
    formBytes,
    formPartBytes: part || Math.min(limits.formPartBytes, formBytes),
    spoolBytes: spool === Infinity ? Math.max(limits.spoolBytes, formBytes) : spool,
  }
}

/** Finds limits that contradict each other. */
export function checkLimits({ formBytes, formPartBytes, spoolBytes }: Limits): Problem[] {
  const problems: Problem[] = []
  if (spoolBytes < formBytes) {
    problems.push({
      path: 'limits.spoolBytes',
      message: `is ${spoolBytes} bytes, less than formBytes (${formBytes})`,
      fix: 'set spoolBytes to at least formBytes',
    })
  }
  if (formPartBytes > formBytes) {
    problems.push({
      path: 'limits.formPartBytes',
      message: `is ${formPartBytes} bytes, more than formBytes (${formBytes})`,
      fix: 'set formPartBytes to at most formBytes',
    })
  }
  return problems
}
