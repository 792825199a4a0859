import type { Dialect } from '../../../src/contract/dialect.ts'
import type { Objects } from '../../../src/jobs/objects.ts'
import type { OpenJobs } from '../../../src/jobs/open-jobs.ts'
import type { ObjectFamily } from '../shared/stored-objects.ts'

/** Dependencies of the operations of this dialect. */
export interface FilesDependencies {
  readonly objects: Objects
  readonly openJobs: Pick<OpenJobs, 'look'>
  /** The dialects whose requests a batch can have, by the paths of their operations. */
  readonly dialects: () => readonly Dialect[]
  /** Returns milliseconds since 1970. */
  readonly now: () => number
}

/** Files. `FileFields.idPrefix` of dialects whose requests name files repeats the prefix. */
export const fileFamily: ObjectFamily = {
  kind: 'file',
  title: 'File',
  noun: 'file',
  prefix: 'file-',
  folder: '/v1/files/',
  capability: 'stored-file',
}

/** Batches of requests. */
export const batchFamily: ObjectFamily = {
  kind: 'batch',
  title: 'Batch',
  noun: 'batch',
  prefix: 'batch_',
  folder: '/v1/batches/',
  capability: 'stored-batch',
}

/** Uploads in parts. */
export const uploadFamily: ObjectFamily = {
  kind: 'upload',
  title: 'Upload',
  noun: 'upload',
  prefix: 'upload_',
  folder: '/v1/uploads/',
  capability: 'stored-file',
}

/** Parts of uploads, which only the end of their upload names. */
export const partFamily: ObjectFamily = {
  kind: 'upload-part',
  title: 'Part',
  noun: 'part',
  prefix: 'part_',
  folder: '/v1/uploads/parts/',
  capability: 'stored-file',
}
