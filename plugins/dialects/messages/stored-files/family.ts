import type { ObjectFamily } from '../../shared/stored-objects.ts'

/** Files of Anthropic's API. `FileFields.idPrefix` of messages repeats the prefix. */
export const messageFileFamily: ObjectFamily = {
  kind: 'anthropic-file',
  title: 'File',
  noun: 'file',
  prefix: 'file_',
  folder: '/v1/files/',
  capability: 'stored-file',
}
