/** The thread of a process that writes to its file store. */
import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'

import { openDatabase } from './database.ts'
import { type WriteOperation, type WriteResult, prepareWrites } from './operations.ts'

/** The operations of one transaction. They arrive as JSON. */
type Batch = readonly WriteOperation[]

/**
 * The outcome of a batch. The thread posts `ready` once, then one outcome for each batch, in order and as JSON, which is
 * faster than structured clones.
 */
export type WriterReply = { results: readonly WriteResult[] } | { failure: string }

const sweepMs = 5_000

/** By how much the niceness of this thread exceeds the niceness of the event loop. The system's most is 19. */
const moreNice = 10

// The event loop has the higher priority, so that its writes gather and share a commit. On other
// systems than Linux, this call would set the priority of the whole process.
if (process.platform === 'linux') setPriority(Math.min(getPriority() + moreNice, 19))

const database = openDatabase((workerData as { directory: string }).directory)
const { apply, flush, forget, sweep } = prepareWrites(database)

function commit(batch: Batch): WriterReply {
  try {
    database.exec('BEGIN IMMEDIATE')
    const results = batch.map(apply)
    flush()
    database.exec('COMMIT')
    return { results }
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    forget()
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.on('message', (message: string) => {
  if (message !== 'close') {
    return parentPort?.postMessage(JSON.stringify(commit(JSON.parse(message) as Batch)))
  }
  clearInterval(sweeping)
  database.close()
  parentPort?.close()
})

// From now on, the deadline of a write applies instead of the time of a start.
parentPort?.postMessage('ready')

const sweeping = setInterval(() => {
  try {
    sweep()
  } catch {
    // Expired rows are never read; the next sweep deletes them.
  }
}, sweepMs)
