/** Waits for a subject to serve, and looks once at every reply: a fast wrong answer is no result. */

import { setTimeout as sleep } from 'node:timers/promises'
import { requestHeaders, requestPath } from './request.ts'
import { frameCount, replyBody, requestBody, type WorkloadName } from './workloads.ts'

export interface Endpoint {
  port: number
  headers: Record<string, string>
  /** Whether waiting still makes sense. */
  alive: () => boolean
}

const patienceMillis = 20_000

/** Returns once the reply to each workload is whole; otherwise throws with the last complaint. */
export async function probe(endpoint: Endpoint, workloads: WorkloadName[]): Promise<void> {
  for (const workload of workloads) {
    const deadline = Date.now() + patienceMillis
    let complaint = await complaintAbout(endpoint, workload)
    while (complaint !== undefined && endpoint.alive() && Date.now() < deadline) {
      await sleep(100)
      complaint = await complaintAbout(endpoint, workload)
    }
    if (!endpoint.alive()) throw new Error('its process ended')
    if (complaint !== undefined) throw new Error(`${workload}: ${complaint}`)
  }
}

async function complaintAbout(
  { port, headers }: Endpoint,
  workload: WorkloadName,
): Promise<string | undefined> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}${requestPath}`, {
      method: 'POST',
      headers: requestHeaders(headers),
      body: requestBody(workload).toString(),
    })
    const text = await reply.text()
    if (reply.status !== 200) return `status ${reply.status}: ${text.slice(0, 300)}`
    return workload === 'json' ? complaintAboutJson(text) : complaintAboutStream(text)
  } catch (error) {
    const { message, cause } = error as Error
    return cause instanceof Error ? `${message}: ${cause.message}` : message
  }
}

/** A gateway may add fields of its own; the answer itself has to be the one that was sent. */
function complaintAboutJson(text: string): string | undefined {
  return choicesIn(text) === choicesIn(replyBody().toString()) ? undefined : 'not the reply sent'
}

function choicesIn(text: string): string {
  return JSON.stringify((JSON.parse(text) as { choices?: unknown }).choices)
}

function complaintAboutStream(text: string): string | undefined {
  const frames = text.match(/^data: /gm)?.length ?? 0
  if (frames !== frameCount) return `${frames} frames instead of ${frameCount}`
  return text.trimEnd().endsWith('data: [DONE]') ? undefined : 'no [DONE]'
}
