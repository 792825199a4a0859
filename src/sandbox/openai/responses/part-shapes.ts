import { type ObjectSpec, anything, list, nullable, string, variants } from '../../shape.ts'
import { imageDetail, imageUrl } from '../fields.ts'

const cacheBreakpoint = { prompt_cache_breakpoint: anything }

const inputPartSpecs: Record<string, ObjectSpec> = {
  input_text: { required: { text: string() }, optional: cacheBreakpoint },
  input_image: {
    optional: {
      ...cacheBreakpoint,
      image_url: nullable(imageUrl),
      file_id: nullable(string()),
      detail: imageDetail,
    },
  },
  input_file: {
    optional: {
      ...cacheBreakpoint,
      file_id: nullable(string()),
      file_url: string(),
      file_data: string(),
      filename: string(),
      detail: imageDetail,
    },
  },
}

/** What users, systems, developers and tools may say. An image is a plain string, not an object. */
export const inputParts = list(variants('type', inputPartSpecs))

/** One named value of a stored prompt, where it is not a string. */
export const inputPart = variants('type', inputPartSpecs)

/** What an assistant has said, as replies carry it. */
export const outputParts = list(
  variants('type', {
    output_text: {
      required: { text: string() },
      optional: { annotations: list(anything), logprobs: nullable(list(anything)) },
    },
    refusal: { required: { refusal: string() } },
  }),
)

export const summaryParts = list(
  variants('type', { summary_text: { required: { text: string() } } }),
)

export const reasoningParts = list(
  variants('type', { reasoning_text: { required: { text: string() } } }),
)
