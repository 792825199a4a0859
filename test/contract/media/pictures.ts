import { dataUrl, pngFile } from '../../sandbox/pictures.ts'

/** A picture that every image and video model takes, as a file. */
export const picture = pngFile(64, { seeThrough: true })

/** The same picture for JSON. */
export const pictureUrl = await dataUrl(picture)

/** Its bytes in base64. */
export const pictureBase64 = pictureUrl.replace(/^.*,/, '')
