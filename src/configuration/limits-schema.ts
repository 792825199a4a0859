import { z } from 'zod'

import { bytes, count, described, milliseconds } from './schema-nodes.ts'
import { defaults } from './settings.ts'

const { limits, timeouts } = defaults

/** The schema of `limits`. */
export const limitsSchema = z.strictObject({
  jsonBodyBytes: described(bytes, 'Largest JSON request, after decompression.', {
    default: limits.jsonBodyBytes,
  }).optional(),
  bodyBytesPerSecond: described(
    count,
    'Least bytes per second of a request body, on average over `timeouts.requestBodyMs`. A slower body is answered 408.',
    { default: limits.bodyBytesPerSecond },
  ).optional(),
  jsonDepth: described(
    count,
    'Levels of nested objects and lists in a JSON request, and in a reply of an account.',
    { default: limits.jsonDepth },
  ).optional(),
  jsonValues: described(
    count,
    'Values and member names in a JSON request, and in a reply of an account. A value takes about 100 bytes of memory besides its text, and time. At most 16 names may have more than 16,000 characters.',
    { default: limits.jsonValues },
  ).optional(),
  expansionRatio: described(
    count,
    'Times that a request or a reply may be as large decompressed as compressed. The first 4 MiB may be larger.',
    { default: limits.expansionRatio },
  ).optional(),
  memoryBytes: described(
    bytes,
    'Memory of a process for bodies above 64 KiB, their parsed JSON, large replies, and what calls use of large stored responses. One key uses at most half of it while others use it too; a request that finds no room within 5 s is answered 503. Garbage and copies take about as much again.',
    { defaultText: 'a quarter of the usable memory, from 64 MiB to 512 MiB' },
  ).optional(),
  formBytes: described(
    bytes,
    'Largest form, files included. The default rises to `formPartBytes` and falls to `spoolBytes` if these are set.',
    { default: limits.formBytes },
  ).optional(),
  formPartBytes: described(
    bytes,
    'Largest part of a form, at most `formBytes`. The default falls to `formBytes`.',
    { default: limits.formPartBytes },
  ).optional(),
  spoolBytes: described(
    bytes,
    'Disk space for all forms of a process together, at least `formBytes`. The default rises to `formBytes`. Several forms of one API key may fill half of it.',
    { default: limits.spoolBytes },
  ).optional(),
  inlineBytes: described(
    bytes,
    'Uploads that a process reads into JSON bodies at the same time, counted before base64. Such bodies take about three and a half times as much memory.',
    { default: limits.inlineBytes },
  ).optional(),
  replyBytes: described(
    bytes,
    'Largest reply of an account that the gateway holds as a whole, such as a JSON reply, or that it translates as a stream. In a stream for a client of Responses each text counts eight times, and for others the arguments of tool calls five times.',
    { default: limits.replyBytes },
  ).optional(),
  frameBytes: described(bytes, 'Largest single frame of a stream.', {
    default: limits.frameBytes,
  }).optional(),
  attempts: described(count, 'Accounts that one request may try.', {
    default: limits.attempts,
  }).optional(),
})

/** The schema of `timeouts`. */
export const timeoutsSchema = z.strictObject({
  connectMs: described(milliseconds, 'Until the connection to an account is established.', {
    default: timeouts.connectMs,
  }).optional(),
  firstByteMs: described(
    milliseconds,
    "Until the first byte of an account's reply. Models may think for a long time before they answer.",
    { default: timeouts.firstByteMs },
  ).optional(),
  idleMs: described(milliseconds, "Longest silence within an account's reply.", {
    default: timeouts.idleMs,
  }).optional(),
  totalMs: described(
    milliseconds,
    'One attempt at an account, from its start to the last byte of the reply.',
    { default: timeouts.totalMs },
  ).optional(),
  keepAliveMs: described(
    milliseconds,
    'Silence of a stream after which its client gets a keep-alive. The first keep-alive ends failover.',
    { default: timeouts.keepAliveMs },
  ).optional(),
  holdMs: described(
    milliseconds,
    'How long the gateway holds back the first events of a stream (at most 16 KiB), so that another account can take over.',
    { default: timeouts.holdMs },
  ).optional(),
  requestBodyMs: described(
    milliseconds,
    'Longest silence while a request body arrives, and the time over which `limits.bodyBytesPerSecond` is measured.',
    {
      default: timeouts.requestBodyMs,
    },
  ).optional(),
  drainMs: described(
    milliseconds,
    "How long the gateway reads an account's reply after its client has disconnected (`clientGone: 'drain'`), and how long a shutdown waits for exchanges in flight.",
    { default: timeouts.drainMs },
  ).optional(),
  pluginMs: described(
    milliseconds,
    'How long a call waits for one hook of a plugin, without the time that accounts take, and for one event of an `onEvents` mapper that waits. Afterwards the call fails.',
    { default: timeouts.pluginMs },
  ).optional(),
})

const { connectMs, firstByteMs, idleMs, totalMs, holdMs } = timeoutsSchema.shape

/** The schema of `accounts[].timeouts`: those of `timeouts` that concern accounts. */
export const accountTimeoutsSchema = z.strictObject({
  connectMs: ofAccount(connectMs),
  firstByteMs: ofAccount(firstByteMs),
  idleMs: ofAccount(idleMs),
  totalMs: ofAccount(totalMs),
  holdMs: ofAccount(holdMs),
})

function ofAccount(setting: z.ZodOptional<typeof milliseconds>) {
  const { description = '' } = setting.unwrap().meta() ?? {}
  return described(milliseconds, description, { defaultText: 'that of `timeouts`' }).optional()
}
