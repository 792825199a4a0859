/** What is measured of one client's streams of one account. */

import { setTimeout as sleep } from 'node:timers/promises'

import { nextMessage } from '../children.ts'
import { threadMicros } from '../cpu.ts'
import { driveLoad } from '../drivers.ts'
import { requestHeaders } from '../request.ts'
import { sampleOf } from '../sample.ts'
import { type DialectName, dialects, type Manner, type Side } from './dialects.ts'
import type { Stage } from './stage.ts'
import type { Turn } from './upstream.ts'

/** Many slow streams, half of them of each side, or a few fast ones. */
const connections: Record<Manner, number> = { 'per-write': 64, coalesced: 16 }
const fastMillis = { warmup: 150, window: 1_000 }
/** Until every slow stream is in its middle. */
const beginningMillis = 500
/** So short that both sides meet the machine in the same mood. */
const turnMillis = 100
/** Until the gateway has written all that was sent to it. */
const settlingMillis = 10
/** Of the translated side; the native one has one more. */
const turns = 25

export interface PerWrite {
  /** Processor time for a native frame, in each turn, in microseconds. */
  readonly native: readonly number[]
  /** How much more one takes that is translated than in the native turns before and after. */
  readonly added: readonly number[]
}

/** What frames cost in the middle of streams that send one frame per write. */
export async function perWrite(
  stage: Stage,
  client: DialectName,
  account: DialectName,
): Promise<PerWrite> {
  // With some time to spare: turns take a little longer than they are told to.
  const windowMillis = (2 * turns + 1) * (turnMillis + settlingMillis) * 1.2
  const began = performance.now()
  const over = driveLoad(stage.load, {
    ...baseOrder(stage, 'per-write'),
    request: requestOf(account, `${account}-native`, stage.port),
    alternately: requestOf(client, `${account}-translated`, stage.port),
    warmupMillis: beginningMillis,
    windowMillis,
    cut: true,
    awake: true,
  })
  await sleep(beginningMillis)
  await giveTurn(stage, 'none')
  await sleep(settlingMillis)
  const native = [await costOfTurn(stage, 'native')]
  const added: number[] = []
  while (added.length < turns) {
    const translated = await costOfTurn(stage, 'translated')
    native.push(await costOfTurn(stage, 'native'))
    added.push(translated - (native.at(-1)! + native.at(-2)!) / 2)
  }
  if (performance.now() - began > beginningMillis + windowMillis) {
    throw new Error(`${client}: the streams were cut while their frames were counted`)
  }
  const { failures, requests } = await over
  await giveTurn(stage, 'both')
  if (failures[0] !== undefined) throw new Error(`${client}: ${failures[0]}`)
  if (requests > 0) throw new Error(`${client}: streams ended while their frames were counted`)
  return { native, added }
}

/** Processor time of the gateway for a frame while only this side's are sent, in microseconds. */
async function costOfTurn(stage: Stage, side: Side): Promise<number> {
  const microsBefore = threadMicros(stage.gateway.pid!)
  const framesBefore = await giveTurn(stage, side)
  await sleep(turnMillis)
  const frames = (await giveTurn(stage, 'none')) - framesBefore
  await sleep(settlingMillis)
  return (threadMicros(stage.gateway.pid!) - microsBefore) / frames
}

/** Returns how many frames the upstream has sent by now. */
async function giveTurn({ upstream }: Stage, turn: Turn): Promise<number> {
  upstream.send(turn)
  const { framesWritten } = await nextMessage<{ framesWritten: number }>(upstream, 5_000)
  return framesWritten
}

/** Processor time of the gateway for a stream, in microseconds, with all frames in one write. */
export async function coalesced(
  stage: Stage,
  client: DialectName,
  account: DialectName,
): Promise<number> {
  const order = {
    ...baseOrder(stage, 'coalesced'),
    request: requestOf(client, `${account}-coalesced`, stage.port),
    warmupMillis: fastMillis.warmup,
    windowMillis: fastMillis.window,
  }
  const sample = sampleOf(await driveLoad(stage.load, order))
  if (sample.verdict === 'failed') throw new Error(`${client}: ${sample.failures[0]}`)
  return sample.cpuMicros
}

function baseOrder(stage: Stage, manner: Manner) {
  return {
    port: stage.port,
    connections: connections[manner],
    subjectPid: stage.gateway.pid!,
    upstreamPid: stage.upstream.pid!,
  }
}

function requestOf(client: DialectName, model: string, port: number): string {
  const body = JSON.stringify(dialects[client].request(model))
  const headers = {
    host: `127.0.0.1:${port}`,
    ...requestHeaders(dialects[client].headers),
    'content-length': body.length,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${dialects[client].path(model)} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
