import { imageEncoders } from '../../src/sandbox/media/image.ts'

const MiB = 1024 * 1024

/** The most images of an edit. */
const mostImages = 16

/** A form that edits images, for a model. */
type EditForm = (model: string) => FormData

/** Edits that answer 200. An account gets them as they are, or written anew where parts have other names. */
export const edits: Readonly<Record<string, EditForm>> = {
  'an edit of 16 images of 4 MiB': (model) => editOf(model, 'image[]', picture(4 * MiB)),
  'an edit of 16 images of 4 MiB by another name': (model) =>
    editOf(model, 'image', picture(4 * MiB)),
  'an edit of 16 images of 4 MiB in many chunks': (model) =>
    editOf(model, 'image[]', inChunks(4 * MiB)),
  'an edit of 16 images of 4 MiB like boundaries': (model) =>
    editOf(model, 'image[]', picture(4 * MiB, '\r\n--')),
  'an edit of 16 images of 49 MiB': (model) => editOf(model, 'image[]', picture(49 * MiB)),
}

function editOf(model: string, part: string, image: Buffer): FormData {
  const form = new FormData()
  for (let index = 0; index < mostImages; index++) {
    form.append(part, new Blob([new Uint8Array(image)], { type: 'image/png' }), `${index}.png`)
  }
  form.append('prompt', 'put them together')
  form.append('model', model)
  return form
}

const png = imageEncoders.png({ text: 'a picture', width: 64, height: 64 })
/** The signature and the first chunk. */
const headBytes = 33

/** Readers of images do not mind what comes behind the end of one. */
function picture(bytes: number, padding = 'dragoman'): Buffer {
  return Buffer.concat([png, Buffer.alloc(bytes - png.length, padding)])
}

/** A picture with as many empty chunks before its pixels as there is room for. */
function inChunks(bytes: number): Buffer {
  const empty = Buffer.from('\0\0\0\0tEXt\0\0\0\0', 'latin1')
  const chunks = Buffer.alloc(bytes - png.length, empty)
  return Buffer.concat([png.subarray(0, headBytes), chunks, png.subarray(headBytes)])
}
