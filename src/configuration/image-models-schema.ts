import { z } from 'zod'

import { defaultImageModels } from '../media/image.ts'
import { expects, modelNames, withDefault } from './schema-nodes.ts'

const { legacy, current, later } = defaultImageModels

/** A name without `*`: it goes into requests as it is. */
const literalName = z
  .string()
  .regex(/^[^*]+$/)
  .meta(expects('the name of a model', 'gpt-image-1'))

/** The schema of `imageModels`. */
export const imageModelsSchema = z
  .strictObject({
    legacy: withDefault(
      modelNames,
      'Names and patterns of legacy image models; all others are newer models. The first name applies to an edit that names no model.',
      [...legacy],
    ),
    current: withDefault(
      literalName,
      'Name of the model that applies instead if such an edit asks for a feature of newer models.',
      current,
    ),
    later: withDefault(
      modelNames,
      'Names and patterns of newer models that accept further sizes and qualities. The gateway does not check these fields for them.',
      [...later],
    ),
  })
  .meta(expects('an object of model names', { legacy: ['dall-e-2'] }))
