import { type ObjectSpec, anything, list, string, variants } from '../../shape.ts'
import { imageDetail, imageUrl } from '../fields.ts'

const cacheBreakpoint = { prompt_cache_breakpoint: anything }

const inputPartSpecs: Record<string, ObjectSpec> = {
  input_text: { required: { text: string() }, optional: cacheBreakpoint },
  input_image: {
    optional: {
      ...cacheBreakpoint,
      image_url: imageUrl,
      file_id: string(),
      detail: imageDetail,
    },
  },
  input_file: {
    optional: {
      ...cacheBreakpoint,
      file_id: string(),
      file_url: string(),
      file_data: string(),
      filename: string(),
      detail: imageDetail,
    },
  },
}

/**
 * The content of user, system and developer messages and of tools. An image is a string, no object.
 */
export const inputParts = list(variants('type', inputPartSpecs))

/** A variable of a stored prompt that is not a string. */
export const inputPart = variants('type', inputPartSpecs)

/** The content of assistant messages, as in replies. */
export const outputParts = list(
  variants('type', {
    output_text: {
      required: { text: string() },
      optional: { annotations: list(anything), logprobs: list(anything) },
    },
    refusal: { required: { refusal: string() } },
  }),
)

/** The summary of a reasoning item. */
export const summaryParts = list(
  variants('type', { summary_text: { required: { text: string() } } }),
)

/** The content of a reasoning item. */
export const reasoningParts = list(
  variants('type', { reasoning_text: { required: { text: string() } } }),
)
