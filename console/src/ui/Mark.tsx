/** The mark of Dragoman. */
export function Mark() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <rect width="20" height="20" rx="5" fill="#0b6472" />
      <path
        d="M5.5 6.5H10a3.5 3.5 0 0 1 0 7H5.5M8 10h6.5M12.5 8l2 2-2 2"
        fill="none"
        stroke="#fff"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
