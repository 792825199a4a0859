import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Frames } from './frames.ts'
import { imageItem } from '../images.ts'
import type { ItemStatus, OutputItem } from './output-item.ts'
import type { OutputPositions } from './output-positions.ts'

/** Writes an image, which has no deltas, as an output item. */
export class ImageItem implements OutputItem {
  readonly id: string
  readonly isOpen = false
  readonly tokens = []
  readonly #mediaType: string
  readonly #base64: string

  constructor(id: string, mediaType: string, base64: string) {
    this.id = id
    this.#mediaType = mediaType
    this.#base64 = base64
  }

  begin(frames: Frames, positions: OutputPositions): void {
    const position = positions.ofItem(this)
    frames.send('response.image_generation_call.in_progress', position)
    frames.send('response.image_generation_call.completed', position)
  }

  json(status: ItemStatus): JsonObject {
    const item = imageItem(this.id, this.#mediaType, this.#base64)
    return status === 'in_progress' ? { ...item, status, result: null } : item
  }
}
