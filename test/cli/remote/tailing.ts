import type { ServerResponse } from 'node:http'

import { type Running } from '../dragoman.ts'
import { type Desk } from './desk.ts'
import { json, startFakeGateway } from './fake-gateway.ts'

export function linesOf({ output }: Running): string[] {
  return output.stdout.split('\n').slice(0, -1)
}

export async function tail({ place, env }: Desk, words = ''): Promise<Running> {
  const running = place.start(`tail ${words}`, env('viewer'))
  await running.said(/Following http:/)
  return running
}

/** Sends what Ctrl-C sends. Resolves with how the command ends. */
export function interrupt({ child, ended }: Running) {
  child.kill('SIGINT')
  return ended
}

/** A gateway whose streams of events a test writes and ends. */
export async function startStream(port = 0) {
  const streams: ServerResponse[] = []
  let refusal: { status: number; message: string } | undefined
  const fake = await startFakeGateway((response) => {
    if (refusal) {
      return json(response, { errors: [{ message: refusal.message }] }, refusal.status)
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
    streams.push(response)
  }, port)
  const send = (live: object) =>
    streams.at(-1)?.write(`event: next\ndata: ${JSON.stringify({ data: { live } })}\n\n`)
  const refuse = (status: number, message: string) => (refusal = { status, message })
  return { ...fake, streams, send, refuse }
}

export const missed = (reason: string) => ({ type: 'Missed', count: 1, reason })
