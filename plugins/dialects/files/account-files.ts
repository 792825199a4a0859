import type { AccountFiles } from '../../../src/contract/files.ts'
import type { Objects } from '../../../src/jobs/objects.ts'
import { isJobId } from '../../../src/jobs/ids.ts'
import { idOf, prefixes } from './reply.ts'

/** The files of keys, for requests that name them. */
export function accountFilesOf(objects: Pick<Objects, 'find'>): AccountFiles {
  return {
    prefix: prefixes.file,
    owns: (id) => isJobId(idOf('file', id)),
    find: (id, { keyId }) => objects.find('file', idOf('file', id), keyId),
  }
}
