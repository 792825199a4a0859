import type { Call } from '../../../src/contract/call.ts'
import { wrong } from '../../../src/kit/checks.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { objectAt } from '../../../src/lib/json/read.ts'
import { OtherModels } from '../shared/other-models.ts'

/** The models that a session names beside its own: those that write down what the user says. */
export function otherModelsOf(session: unknown, path = 'session'): Pick<Call, 'otherModels'> {
  const models = new OtherModels()
  const input = objectAt(objectAt(session, 'audio'), 'input')
  models.noteIn(objectAt(input, 'transcription'), () => `${path}.audio.input.transcription`)
  const former = 'input_audio_transcription'
  models.noteIn(objectAt(session, former), () => `${path}.${former}`)
  return models.ofCall
}

/** The model that writes down what the user says, if a session has one. */
export function transcriberOf(session: unknown): string | undefined {
  return otherModelsOf(session).otherModels?.[0]?.name
}

/** Throws `GatewayError` for a value that names a file of an account, which another key may have: sessions have no files. */
export function refuseFiles(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const { file_id: id, file_ids: ids } = value as JsonObject
  if (typeof id === 'string' || Array.isArray(ids))
    throw wrong('file_id', 'left out: no file can be named in a session')
  for (const one of Object.values(value)) refuseFiles(one)
}
