/** A GoDaddy export of `rows` names, whose expiry is in `year`. */
export function importTable(rows: number, year = "2027"): string {
  const lines = ["Domain Name,Expiration Date,Auto-renew,Status"];
  for (let row = 0; row < rows; row += 1) {
    const month = String((row % 12) + 1).padStart(2, "0");
    const day = String((row % 28) + 1).padStart(2, "0");
    const name = `${(row * 2654435761) % 2 ** 32}-name-${row}.example`;
    lines.push(`${name},${year}-${month}-${day},${row % 3 === 0 ? "On" : "Off"},Active`);
  }
  return `${lines.join("\n")}\n`;
}
