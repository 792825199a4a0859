import type { OutputFormat } from '../../../../src/generate/request.ts'
import { checkDepth } from '../../../../src/codecs/depth.ts'
import { closeObjects } from './closed-schema.ts'
import type { PlaceNotes } from './notes.ts'
import type { Place } from './place.ts'
import { toJsonSchema } from './schemas.ts'

const json = 'application/json'

/** The form of the answer. A schema alone asks for JSON too. */
export function readOutput(config: Place, notes: PlaceNotes): OutputFormat | undefined {
  const mediaType = config.text('responseMimeType')
  if (mediaType !== undefined && mediaType !== json && mediaType !== 'text/plain') {
    notes.lost(config.nameOf('responseMimeType'), [
      'native',
      'only the Gemini API answers in this form',
    ])
    return undefined
  }
  const schema = readSchema(config, notes)
  if (schema) return { kind: 'schema', schema }
  if (mediaType === json) {
    notes.uses('json_object', config.nameOf('responseMimeType'))
    return { kind: 'json' }
  }
  return mediaType === undefined ? undefined : { kind: 'text' }
}

function readSchema(config: Place, notes: PlaceNotes): Record<string, unknown> | undefined {
  const own = config.object('responseSchema')
  const standard = config.object('responseJsonSchema')
  if (!own && !standard) return undefined
  for (const field of ['responseSchema', 'responseJsonSchema']) {
    checkDepth(config.value(field), config.nameOf(field))
  }
  notes.uses('json_schema', config.nameOf(standard ? 'responseJsonSchema' : 'responseSchema'))
  return standard ? { ...standard.json } : closeObjects(toJsonSchema({ ...own?.json }))
}
