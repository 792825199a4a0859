/** The neutral model of drawn images, for accounts of another dialect than the client's. */

/** A request to draw images. */
export interface DrawingRequest {
  readonly prompt: string
  readonly count: number
  /** `1536x1024`. Absent: the model chooses. */
  readonly size?: string
  /** Further members, by the names that the client uses: no account of another dialect gets them. */
  readonly further: readonly string[]
}

/** The drawn images. */
export interface Drawing {
  readonly images: readonly { readonly base64: string; readonly mediaType: string }[]
}
