import { randomInt } from 'node:crypto'
import type { Account } from '../../accounts.ts'
import { Problem } from '../../problem.ts'
import type { Directives } from '../../steering/directives.ts'
import type { OperationSettings, VideoOperation, VideoFile } from '../../stored.ts'
import { createVideoJob } from '../../video/video-job.ts'

const weight = 1024

/** Creates an operation and stores it. The store evicts the oldest ones when it is full. */
export function createOperation(
  account: Account,
  settings: OperationSettings,
  directives: Directives,
): VideoOperation {
  const operation = {
    ...settings,
    id: shortId(),
    job: createVideoJob(directives),
    files: undefined,
  }
  account.operations.put(operation.id, operation, weight + settings.scene.prompt.length)
  return operation
}

/** The ids of an operation's videos. The first call creates them. */
export function videoIdsOf(account: Account, operation: VideoOperation): string[] {
  const { scene, count, job } = operation
  const made = count - Math.min(count, job.directives.filtered ?? 0)
  operation.files ??= Array.from({ length: made }, (_, index) => {
    const prompt = index === 0 ? scene.prompt : `${scene.prompt}/${index}`
    const file = { id: shortId(), scene: { ...scene, prompt }, job }
    account.files.put(file.id, file, weight + scene.prompt.length)
    return file.id
  })
  return operation.files
}

/** Finds a video. Throws Google's 403 for an id that this account does not have. */
export function findVideoFile(account: Account, id: string): VideoFile {
  const file = account.files.get(id)
  if (!file) throw videoFileNotFound(id)
  return file
}

/** Google's error for an unknown file: it does not reveal whether the file exists. */
export function videoFileNotFound(id: string): Problem {
  return new Problem(
    403,
    `You do not have permission to access the File ${id} or it may not exist.`,
  )
}

// Small letters and digits: official clients recognise no others in the address of a file.
function shortId(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join('')
}
