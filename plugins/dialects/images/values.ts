import { createFieldReader } from '../shared/form-values.ts'

export { type Values, modelAt } from '../shared/form-values.ts'

/** Returns the plain fields. Throws `GatewayError` 400 if a form repeats one or sends it as a file. */
export const imageValuesOf = createFieldReader({
  integers: ['n', 'output_compression', 'partial_images'],
  booleans: ['stream'],
  texts: [
    'background',
    'input_fidelity',
    'model',
    'moderation',
    'output_format',
    'prompt',
    'quality',
    'response_format',
    'size',
    'user',
  ],
})
