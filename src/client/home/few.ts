/** So many names fit on the home screen, all of them. */
export const FEW = 8;
