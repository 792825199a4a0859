import { type JsonObject, numberOf, textOf } from '../../json.ts'
import { imageEncoders } from '../../media/image.ts'
import { countTokens } from '../../text/words.ts'
import { badRequest } from '../../problem.ts'

/** The settings of a checked request for images, with defaults for those that it lacks. */
export type ImageJob = {
  prompt: string
  /** The number of images. */
  count: number
  /** `1024x1024`, in pixels. */
  size: string
  format: 'png' | 'jpeg' | 'webp'
  quality: string
  background: 'transparent' | 'opaque'
  /** The number of unfinished images in a stream. */
  partialImages: number
  /** The number of images in the request. */
  inputImages: number
}

/**
 * Reads the settings of a request with this number of images. Throws if the format does not support
 * the background or the compression.
 */
export function readImageJob(body: JsonObject, inputImages: number): ImageJob {
  const format = formatOf(textOf(body['output_format']))
  const background = body['background'] === 'transparent' ? 'transparent' : 'opaque'
  if (background === 'transparent' && format === 'jpeg')
    throw badRequest(
      "Transparent background is not supported for output format 'jpeg'.",
      'background',
      'invalid_value',
    )
  if ((numberOf(body['output_compression']) ?? 100) < 100 && format === 'png')
    throw badRequest(
      'Compression less than 100 is not supported for PNG output format.',
      'output_compression',
      'invalid_value',
    )
  return {
    prompt: textOf(body['prompt']),
    count: numberOf(body['n']) ?? 1,
    size: valueOrDefault(body['size'], '1024x1024'),
    format,
    quality: valueOrDefault(body['quality'], 'medium'),
    background,
    partialImages: numberOf(body['partial_images']) ?? 0,
    inputImages,
  }
}

function valueOrDefault(value: unknown, automatic: string): string {
  return typeof value === 'string' && value !== 'auto' ? value : automatic
}

function formatOf(name: string): ImageJob['format'] {
  return name === 'jpeg' || name === 'webp' ? name : 'png'
}

/**
 * Draws the images of a job, each in its own colour; with `draft`, one unfinished image in the colour
 * of that draft.
 */
export function drawImages(job: ImageJob, draft?: number): Buffer[] {
  const [width = 0, height = 0] = job.size.split('x').map(Number)
  const transparent = job.background === 'transparent'
  return Array.from({ length: draft === undefined ? job.count : 1 }, (_, index) => {
    const text = [job.prompt, index, draft ?? 'final'].join('/')
    return imageEncoders[job.format]({ text, width, height, transparent })
  })
}

const tokensByQuality: Record<string, number> = { low: 272, medium: 1056, high: 4160 }
const tokensPerInputImage = 194

/** Renders the usage of a job, as GPT image models report it. */
export function imageUsage({ prompt, inputImages, count, quality }: ImageJob): JsonObject {
  const textTokens = countTokens(prompt)
  const imageTokens = inputImages * tokensPerInputImage
  const output = count * (tokensByQuality[quality] ?? 4160)
  return {
    input_tokens: textTokens + imageTokens,
    input_tokens_details: { image_tokens: imageTokens, text_tokens: textTokens },
    output_tokens: output,
    output_tokens_details: { image_tokens: output, text_tokens: 0 },
    total_tokens: textTokens + imageTokens + output,
  }
}
