/** Returns a cell of a CSV file in quotation marks. */
export const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
