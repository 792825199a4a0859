/** The one thread of a process that writes to its file store. */
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'

import { openDatabase } from './database.ts'
import { type WriteOperation, type WriteResult, prepareWrites } from './operations.ts'

/** What is asked of the thread, as JSON: all or nothing of it is written. */
export type Batch = readonly WriteOperation[]

/** What it answers to each batch, in order, after `ready`. */
export type WriterReply = { results: readonly WriteResult[] } | { failure: string }

const sweepMs = 5_000

// Where both want the processor the loop goes first, and what it writes meanwhile shares a commit.
// Elsewhere than on Linux this would be the priority of the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const database = openDatabase((workerData as { directory: string }).directory)
const { apply, sweep } = prepareWrites(database)

function commit(batch: Batch): WriterReply {
  try {
    database.exec('BEGIN IMMEDIATE')
    const results = batch.map(apply)
    database.exec('COMMIT')
    return { results }
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.on('message', (message: string) => {
  if (message !== 'close') return parentPort?.postMessage(commit(JSON.parse(message) as Batch))
  clearInterval(sweeping)
  database.close()
  parentPort?.close()
})

// Until here it took the time of a start; from now on it takes that of a write.
parentPort?.postMessage('ready')

const sweeping = setInterval(() => {
  try {
    sweep()
  } catch {
    // Expired rows are never read; the next sweep takes them.
  }
}, sweepMs)
