import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * Asks `/livez` every 20 ms from a thread of its own. Reports the longest wait for an answer, in
 * milliseconds, whenever it gets a message.
 */
const { url } = workerData as { url: string }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let longest = 0
let askedAt = 0

function ask(): void {
  askedAt = performance.now()
  get(`${url}/livez`, { agent }, (response) => {
    response.resume().on('end', next)
  }).on('error', next)
}

function next(): void {
  longest = Math.max(longest, performance.now() - askedAt)
  setTimeout(ask, 20)
}

parentPort?.on('message', () => {
  // An answer that is still missing counts as well.
  parentPort?.postMessage(Math.max(longest, performance.now() - askedAt))
  longest = 0
})
ask()
