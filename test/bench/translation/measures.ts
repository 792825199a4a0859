/** What is measured of one client's streams of one account. */

import { setTimeout as sleep } from 'node:timers/promises'

import { nextMessage } from '../children.ts'
import { threadMicros } from '../cpu.ts'
import { driveLoad } from '../drivers.ts'
import type { LoadOrder } from '../load.ts'
import { requestHeaders } from '../request.ts'
import { sampleOf } from '../sample.ts'
import { type DialectName, dialects, type Manner } from './dialects.ts'
import type { Stage } from './stage.ts'

/** Many slow streams, or a few fast ones. */
const connections: Record<Manner, number> = { 'per-write': 32, coalesced: 16 }
const windowMillis: Record<Manner, number> = { 'per-write': 500, coalesced: 1_000 }
/** Until every slow stream is in its middle. */
const beginningMillis = 500

/**
 * Processor time of the gateway for one frame, in microseconds, in the middle of streams that send
 * one frame per write.
 */
export async function perWrite(
  stage: Stage,
  client: DialectName,
  account: DialectName,
): Promise<number> {
  const order = orderFor(stage, client, account, 'per-write')
  const over = driveLoad(stage.load, { ...order, cut: true, awake: true })
  await sleep(beginningMillis)
  const before = await countsOf(stage)
  await sleep(windowMillis['per-write'])
  const after = await countsOf(stage)
  const { failures, requests } = await over
  if (failures[0] !== undefined) throw new Error(`${client}: ${failures[0]}`)
  if (requests > 0) throw new Error(`${client}: streams ended while their frames were counted`)
  return (after.micros - before.micros) / (after.frames - before.frames)
}

/** Processor time of the gateway for a stream, in microseconds, with all frames in one write. */
export async function coalesced(
  stage: Stage,
  client: DialectName,
  account: DialectName,
): Promise<number> {
  const order = orderFor(stage, client, account, 'coalesced')
  const sample = sampleOf(await driveLoad(stage.load, order))
  if (sample.verdict === 'failed') throw new Error(`${client}: ${sample.failures[0]}`)
  return sample.cpuMicros
}

async function countsOf(stage: Stage): Promise<{ frames: number; micros: number }> {
  stage.upstream.send('count')
  const { framesWritten } = await nextMessage<{ framesWritten: number }>(stage.upstream, 5_000)
  return { frames: framesWritten, micros: threadMicros(stage.gateway.pid!) }
}

function orderFor(
  stage: Stage,
  client: DialectName,
  account: DialectName,
  manner: Manner,
): LoadOrder {
  return {
    port: stage.port,
    request: requestOf(client, `${account}-${manner}`, stage.port),
    connections: connections[manner],
    warmupMillis: manner === 'per-write' ? beginningMillis : 150,
    windowMillis: windowMillis[manner],
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
